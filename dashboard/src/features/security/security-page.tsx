import { Page } from '../../ui/page.tsx';
import { ChangePassword } from './change-password.tsx';
import { Sessions } from './sessions.tsx';
import { WaysIn } from './ways-in.tsx';

/** How a person signs in and where they are signed in, a section each, whichever account they are looking at. */
export const SecurityPage = () => (
  <Page title="Security" about="How you sign in, and where you are signed in, in all your accounts.">
    <div className="flex flex-col gap-10">
      <ChangePassword />
      <WaysIn />
      <Sessions />
    </div>
  </Page>
);
