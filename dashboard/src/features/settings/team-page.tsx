import { useQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { get, patch, remove } from '../../api/client.ts';
import type { Invitation, Member, Role, Team } from '../../api/records.ts';
import { startAfresh, useIsOwner, useSession } from '../../api/session.ts';
import { saved, useAction } from '../../api/writes.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Ago } from '../../ui/date.tsx';
import { Email } from '../../ui/email.tsx';
import { selectClass } from '../../ui/forms/field.tsx';
import { useFilters } from '../../ui/lists/filters.tsx';
import { Table } from '../../ui/lists/table.tsx';
import type { Column } from '../../ui/lists/width/column.ts';
import { Confirm } from '../../ui/overlays/confirm.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { Status } from '../../ui/status.tsx';
import { optionsOf, roles } from '../../ui/words.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { LeaveTeam } from './leave-team.tsx';
import { RemoveMember } from './remove-member.tsx';

export function TeamPage() {
  const isOwner = useIsOwner();
  // In the address, so that the palette can open it from any page, including this one.
  const inviting = useFilters(['invite']);
  const query = useQuery({
    queryKey: ['team'],
    queryFn: ({ signal }) => get<Team>('/team', undefined, signal),
  });
  return (
    <Page
      title="Team"
      isList
      about={
        isOwner ? 'Who can see this account, and what they can do.' : 'Owners invite people and change roles.'
      }
      actions={
        isOwner && (
          <Button kind="main" icon={<UserPlus />} onClick={() => inviting.set({ invite: 'new' })}>
            Invite
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {({ members, invitations }) => (
          <div className="flex flex-col gap-10">
            <Members members={members} />
            {invitations.length > 0 && <Invitations invitations={invitations} />}
          </div>
        )}
      </Loaded>
      {isOwner && inviting.filters.invite && <InviteDialog onClose={inviting.clear} />}
    </Page>
  );
}

function Members({ members }: { members: Member[] }) {
  const isOwner = useIsOwner();
  const { user } = useSession();
  const [removing, setRemoving] = useState<Member | null>(null);
  const [isLeaving, setLeaving] = useState(false);
  const columns: Column<Member>[] = [
    {
      name: 'Name',
      phone: 'title',
      className: 'font-medium',
      cell: (member) => (
        <>
          {member.user.name}
          {member.user.id === user?.id && <span className="font-normal text-soft"> (you)</span>}
        </>
      ),
    },
    {
      name: 'Email',
      phone: 'line',
      className: 'text-soft',
      cell: (member) => <Email address={member.user.email} />,
    },
    {
      name: 'Role',
      phone: 'aside',
      cell: (member) => (isOwner ? <RoleSelect member={member} /> : roles[member.role].word),
    },
    { name: 'Joined', cell: (member) => <Ago at={member.created_at} /> },
  ];
  if (isOwner) {
    columns.push({
      name: 'Two-factor sign-in',
      phone: 'line',
      cell: ({ two_factor }) => (
        <>
          <span className="sm:hidden">Two-factor sign-in: </span>
          <Status of={two_factor ? { word: 'On', tone: 'good' } : { word: 'Off', tone: 'off' }} />
        </>
      ),
    });
    columns.push({
      name: 'Actions',
      align: 'right',
      phone: 'aside',
      cell: (member) =>
        member.user.id !== user?.id && (
          <Button kind="danger" className="sm:-my-1 sm:h-7" onClick={() => setRemoving(member)}>
            Remove
          </Button>
        ),
    });
  }
  return (
    <Section title="Members">
      <Table
        label="Members"
        rows={members}
        columns={columns}
        rowKey={(member) => member.id}
        isSticky={false}
      />
      {members.length > 1 && (
        <Button kind="danger" className="mt-4" onClick={() => setLeaving(true)}>
          Leave team
        </Button>
      )}
      {removing && <RemoveMember member={removing} onClose={() => setRemoving(null)} />}
      {isLeaving && <LeaveTeam onClose={() => setLeaving(false)} />}
    </Section>
  );
}

/** Asks for confirmation, because a single arrow key selects another role. */
function RoleSelect({ member }: { member: Member }) {
  const { user } = useSession();
  const [asked, setAsked] = useState<Role | null>(null);
  const isOwn = member.user.id === user?.id;
  const change = async (role: Role) => {
    const changing = patch(`/team/members/${member.id}`, { role });
    if (!isOwn) return saved(changing, 'Role changed');
    await changing;
    return startAfresh();
  };
  return (
    <>
      <select
        aria-label={`Role of ${member.user.name}`}
        value={member.role}
        onChange={(event) => setAsked(event.target.value as Role)}
        className={`${selectClass} w-32! sm:-my-1 sm:h-7`}
      >
        {optionsOf(roles).map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      {asked && (
        <Confirm
          title={`Change ${isOwn ? 'your own role' : `the role of ${member.user.name}`} to ${roles[asked].word}?`}
          action="Change role"
          onClose={() => setAsked(null)}
          onConfirm={() => change(asked)}
        >
          {`${roles[asked].word}: ${roles[asked].may}.`}
          {isOwn && ' Only another owner can make you an owner again.'}
        </Confirm>
      )}
    </>
  );
}

function Invitations({ invitations }: { invitations: Invitation[] }) {
  const isOwner = useIsOwner();
  const cancel = useAction((id: string) => saved(remove(`/team/invitations/${id}`), 'Invitation withdrawn'));
  const columns: Column<Invitation>[] = [
    {
      name: 'Email',
      phone: 'title',
      className: 'font-medium wrap-anywhere',
      cell: (invitation) => invitation.email,
    },
    { name: 'Role', phone: 'line', cell: (invitation) => roles[invitation.role].word },
    {
      name: 'Status',
      phone: 'line',
      cell: (invitation) =>
        invitation.status === 'expired' ? (
          <Status of={{ word: 'Expired', tone: 'off' }} />
        ) : (
          <>
            Expires <Ago at={invitation.expires_at} />
          </>
        ),
    },
  ];
  if (isOwner) {
    columns.push({
      name: 'Actions',
      align: 'right',
      phone: 'aside',
      cell: (invitation) => (
        <div className="flex flex-wrap justify-end gap-2 sm:-my-1">
          {invitation.link && <CopyButton text={invitation.link} label="Copy link" />}
          <Button kind="danger" onClick={() => cancel.run(invitation.id)} isBusy={cancel.isBusy}>
            Withdraw
          </Button>
        </div>
      ),
    });
  }
  return (
    <Section title="Invitations">
      <Table
        label="Invitations"
        rows={invitations}
        columns={columns}
        rowKey={(row) => row.id}
        isSticky={false}
      />
    </Section>
  );
}
