import { useSearch } from '@tanstack/react-router';
import { startAfresh, useSession } from '../../api/session.ts';
import { safeNext } from '../../app/safe-next.ts';
import { TextLink } from '../../ui/lists/names.tsx';
import { SignInForm, SignUpForm } from './auth-forms.tsx';
import { AuthFrame } from './auth-frame.tsx';

export function SignIn() {
  const { next } = useSearch({ strict: false }) as { next?: string };
  const session = useSession();
  return (
    <AuthFrame
      title="Sign in"
      below={
        session.can_sign_up ? (
          <>
            New here? <TextLink to="/sign-up">Create an account</TextLink>
          </>
        ) : (
          'Forgot your password? Ask whoever runs this service for a new one.'
        )
      }
    >
      <SignInForm onDone={() => startAfresh(safeNext(next))} />
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
      <SignUpForm />
    </AuthFrame>
  );
}
