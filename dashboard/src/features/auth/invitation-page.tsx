import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ApiError, get } from '../../api/client.ts';
import type { OpenInvitation } from '../../api/records.ts';
import { signOut, startAfresh, useSession } from '../../api/session.ts';
import { post, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { TextLink } from '../../ui/lists/names.tsx';
import { Problem, Skeleton } from '../../ui/states.tsx';
import { roles } from '../../ui/words.ts';
import { SignInForm, SignUpForm } from './auth-forms.tsx';
import { AuthFrame } from './auth-frame.tsx';
import { WaysIn } from './single-sign-on.tsx';

/** The page of an invitation link: sign up, sign in or just join. */
export function JoinByInvitation() {
  const { token = '' } = useParams({ strict: false }) as { token?: string };
  const { user } = useSession();
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => get<OpenInvitation>(`/invitations/${encodeURIComponent(token)}`),
  });
  const { data: invitation, error } = query;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <AuthFrame
        title="This invitation does not work"
        about="It may have been used or withdrawn, or it has expired. Ask for a new link."
      >
        <TextLink to="/">Go to Home</TextLink>
      </AuthFrame>
    );
  }
  if (!invitation) {
    return (
      <AuthFrame title="Invitation">
        {error ? <Problem error={error} onRetry={query.refetch} /> : <Skeleton count={4} />}
      </AuthFrame>
    );
  }
  const about = `You are invited as ${roles[invitation.role].word.toLowerCase()}: ${roles[invitation.role].may}.`;
  return (
    <AuthFrame title={`Join ${invitation.account.name}`} about={about}>
      {user ? (
        <Accept token={token} email={invitation.email} signedInAs={user.email} />
      ) : (
        <WaysIn invitation={token}>
          {invitation.user_exists ? (
            <SignInForm email={invitation.email} onDone={() => accept(token)} />
          ) : (
            <SignUpForm email={invitation.email} invitation={token} />
          )}
        </WaysIn>
      )}
    </AuthFrame>
  );
}

async function accept(token: string): Promise<void> {
  await post(`/invitations/${encodeURIComponent(token)}/accept`);
  await startAfresh('/');
}

function Accept({ token, email, signedInAs }: { token: string; email: string; signedInAs: string }) {
  const join = useAction(() => accept(token));
  const leave = useAction(() => signOut());
  if (email.toLowerCase() !== signedInAs.toLowerCase()) {
    return (
      <>
        <p className="mb-4">
          The invitation is for {email}, but you are signed in as {signedInAs}.
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
