import { useLocation, useSearch } from '@tanstack/react-router';
import { startAfresh, useSession } from '../../api/session.ts';
import { safeNext } from '../../app/safe-next.ts';
import { TextLink } from '../../ui/lists/names.tsx';
import { SignInForm, SignUpForm } from './auth-forms.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { WaysIn } from './single-sign-on.tsx';

export function SignIn() {
  const { next } = useSearch({ strict: false }) as { next?: string };
  const session = useSession();
  const problem = useLocation({ select: ({ state }) => state.problem });
  return (
    <AuthFrame
      title="Sign in"
      below={
        session.can_sign_up ? (
          <>
            New here? <TextLink to="/sign-up">Create an account</TextLink>
          </>
        ) : (
          !session.sso?.only && 'Forgot your password? Ask whoever runs this service for a new one.'
        )
      }
    >
      {problem && (
        <p role="alert" className="mb-4 rounded-md bg-bad-ground px-3 py-2 text-bad">
          {problem}
        </p>
      )}
      <WaysIn next={safeNext(next)}>
        <SignInForm onDone={() => startAfresh(safeNext(next))} />
      </WaysIn>
    </AuthFrame>
  );
}

export function SignUp() {
  const session = useSession();
  if (!session.can_sign_up) {
    return (
      <AuthFrame
        title="By invitation only"
        about="You need an invitation link to join. Ask an owner of the account for one."
      >
        <TextLink to="/sign-in">Go to sign-in</TextLink>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Create your account"
      about="For your properties, tenants and rent."
      below={
        <>
          Already have an account? <TextLink to="/sign-in">Sign in</TextLink>
        </>
      }
    >
      <WaysIn>
        <SignUpForm />
      </WaysIn>
    </AuthFrame>
  );
}
