import { useSuspenseQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { sessionQuery, startAfresh } from '../../api/session.ts';
import { post } from '../../api/writes.ts';
import { safeNext } from '../../app/safe-next.ts';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import { EmailField, PasswordField } from './auth-fields.tsx';
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
      <Form
        isWide
        submit="Sign in"
        onSubmit={async (values) => {
          await post('/sign-in', { email: values.text('email'), password: values.secret('password') });
          await startAfresh(safeNext(next));
        }}
      >
        <EmailField />
        <PasswordField />
      </Form>
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
      <Form
        isWide
        submit="Sign up"
        onSubmit={async (values) => {
          await post('/sign-up', {
            name: values.text('name'),
            email: values.text('email'),
            password: values.secret('password'),
            account_name: values.text('account_name') || undefined,
          });
          await startAfresh('/');
        }}
      >
        <TextField name="name" label="Name" autoComplete="name" required />
        <EmailField />
        <PasswordField isNew />
        <TextField
          name="account_name"
          label="Company (optional)"
          autoComplete="organization"
          hint="What your account is called. You can change it later."
        />
      </Form>
    </AuthFrame>
  );
}
