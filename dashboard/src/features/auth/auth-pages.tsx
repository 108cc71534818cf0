import { useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { sessionQuery, startAfresh } from '../../api/session.ts';
import { safeNext } from '../../app/safe-next.ts';
import { TextLink } from '../../ui/lists/names.tsx';
import { SignInForm, SignUpForm } from './auth-forms.tsx';
import { AuthFrame } from './auth-frame.tsx';

export function SignIn() {
  const { next } = useSearch({ strict: false }) as { next?: string };
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <AuthFrame
      title="Sign in"
      below={
        session.can_sign_up ? (
          <>
            New here? <TextLink to="/sign-up">Make an account</TextLink>
          </>
        ) : (
          'Forgotten your password? Whoever runs this service can give you a new one.'
        )
      }
    >
      <SignInForm onDone={() => startAfresh(safeNext(next))} />
    </AuthFrame>
  );
}

export function SignUp() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  if (!session.can_sign_up) {
    return (
      <AuthFrame
        title="By invitation only"
        about="New people join this service by a link from an owner of an account. Ask one for yours."
      >
        <TextLink to="/sign-in">To the sign-in</TextLink>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title="Make your account"
      about="For your properties, their tenants and their rent."
      below={
        <>
          Have an account already? <TextLink to="/sign-in">Sign in</TextLink>
        </>
      }
    >
      <SignUpForm />
    </AuthFrame>
  );
}
