import { toast } from 'sonner';
import { useSession } from '../../api/session.ts';
import { post } from '../../api/writes.ts';
import { Form } from '../../ui/forms/form.tsx';
import { Section } from '../../ui/page.tsx';
import { PasswordField } from '../auth/auth-forms.tsx';

export function ChangePassword() {
  const { sso } = useSession();
  if (sso?.only) return null;
  return (
    <Section title="Change password" className="max-w-[640px]">
      <Form
        submit="Change password"
        onSubmit={async (values) => {
          await post('/password', {
            current_password: values.secret('current_password'),
            new_password: values.secret('new_password'),
          });
          toast.success('Password changed. You are signed out everywhere else.');
        }}
      >
        <PasswordField name="current_password" label="Current password" />
        <PasswordField name="new_password" label="New password" isNew />
      </Form>
    </Section>
  );
}
