import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ApiError, get } from '../../api/client.ts';
import type { OpenInvitation } from '../../api/records.ts';
import { sessionQuery, startAfresh } from '../../api/session.ts';
import { post, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import { Lines, Problem } from '../../ui/states.tsx';
import { roles } from '../../ui/words.ts';
import { EmailField, PasswordField } from './auth-fields.tsx';
import { AuthFrame } from './auth-frame.tsx';

/** Where an invitation's link leads: join, by signing up, by signing in, or at once. */
export function JoinByInvitation() {
  const { token = '' } = useParams({ strict: false }) as { token?: string };
  const { data: session } = useSuspenseQuery(sessionQuery);
  const {
    data: invitation,
    error,
    refetch,
  } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => get<OpenInvitation>(`/invitations/${encodeURIComponent(token)}`),
  });
  if (error instanceof ApiError && error.status === 404) {
    return (
      <AuthFrame
        title="This invitation does not work"
        about="It may have been used, withdrawn, or be older than its time. Ask for a new link."
      >
        <TextLink to="/">To the start</TextLink>
      </AuthFrame>
    );
  }
  if (!invitation) {
    return (
      <AuthFrame title="An invitation">
        {error ? <Problem error={error} onRetry={refetch} /> : <Lines count={4} />}
      </AuthFrame>
    );
  }
  const about = `You are invited as ${roles[invitation.role].word.toLowerCase()}: ${roles[invitation.role].may.toLowerCase()}.`;
  return (
    <AuthFrame title={`Join ${invitation.account.name}`} about={about}>
      {session.user ? (
        <Accept token={token} email={invitation.email} signedInAs={session.user.email} />
      ) : invitation.user_exists ? (
        <SignInAndJoin token={token} email={invitation.email} />
      ) : (
        <SignUpAndJoin token={token} email={invitation.email} />
      )}
    </AuthFrame>
  );
}

const accept = (token: string) => post(`/invitations/${encodeURIComponent(token)}/accept`);

function Accept({ token, email, signedInAs }: { token: string; email: string; signedInAs: string }) {
  const join = useAction(async () => {
    await accept(token);
    await startAfresh('/');
  });
  const leave = useAction(async () => {
    await post('/sign-out');
    await startAfresh();
  });
  if (email.toLowerCase() !== signedInAs.toLowerCase()) {
    return (
      <>
        <p className="mb-4">
          The invitation is for {email}, and you are signed in as {signedInAs}.
        </p>
        <Button onClick={() => leave.run()} isBusy={leave.isBusy}>
          Sign out
        </Button>
      </>
    );
  }
  return (
    <Button kind="main" onClick={() => join.run()} isBusy={join.isBusy}>
      Join as {signedInAs}
    </Button>
  );
}

function SignInAndJoin({ token, email }: { token: string; email: string }) {
  return (
    <Form
      isWide
      submit="Sign in"
      onSubmit={async (values) => {
        await post('/sign-in', { email, password: values.secret('password') });
        await accept(token);
        await startAfresh('/');
      }}
    >
      <EmailField value={email} />
      <PasswordField />
    </Form>
  );
}

function SignUpAndJoin({ token, email }: { token: string; email: string }) {
  return (
    <Form
      isWide
      submit="Sign up"
      onSubmit={async (values) => {
        const name = values.text('name');
        await post('/sign-up', { name, email, password: values.secret('password'), invitation: token });
        await startAfresh('/');
      }}
    >
      <TextField name="name" label="Name" autoComplete="name" required />
      <EmailField value={email} />
      <PasswordField isNew />
    </Form>
  );
}
