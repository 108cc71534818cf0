import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import type { StoredWebhook, WebhookWithSecret } from '../../api/records.ts';
import { create, saved } from '../../api/writes.ts';
import { saveChanges } from '../../ui/forms/edit-form.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form } from '../../ui/forms/form.tsx';
import type { FormValues } from '../../ui/forms/form-values.ts';
import { useLeave } from '../../ui/forms/leaving.tsx';
import { Page } from '../../ui/page.tsx';
import { usePathId } from '../../ui/records/record-page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { EventChoice } from './event-choice.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { SkippedKeys } from './skipped-keys.tsx';
import { apiKeys, catalogue, webhook } from './webhook-queries.ts';

export function NewWebhookPage() {
  const leaveTo = useLeave();
  const [made, setMade] = useState<WebhookWithSecret | null>(null);
  return (
    <Page title="New endpoint" back="/settings/webhooks" width="form">
      <Form
        submit="Add endpoint"
        isPage
        shows={['events']}
        onCancel={() => leaveTo('/settings/webhooks')}
        onSubmit={async (values) =>
          setMade(
            await saved(
              aboutUrl(create<WebhookWithSecret>('/webhooks', readWebhook(values))),
              'Endpoint added',
            ),
          )
        }
      >
        <WebhookFields />
      </Form>
      {made && (
        <SecretDialog
          title="Endpoint added"
          secret={made.secret}
          onClose={() => leaveTo(`/settings/webhooks/${made.id}`)}
        />
      )}
    </Page>
  );
}

export function EditWebhookPage() {
  const id = usePathId();
  const leaveTo = useLeave();
  const endpoint = useQuery({ ...webhook(id), refetchInterval: false });
  // The checkboxes must be there when the form opens, so that it can tell what was changed.
  const events = useQuery(catalogue);
  const keys = useQuery(apiKeys);
  const back = `/settings/webhooks/${id}`;
  return (
    <Page title="Edit endpoint" back={back} width="form">
      <Loaded
        query={{
          data: events.data && keys.data && endpoint.data,
          error: endpoint.error ?? events.error ?? keys.error,
          refetch: () => Promise.all([endpoint.refetch(), events.refetch(), keys.refetch()]),
        }}
      >
        {(stored) => (
          <Form
            submit="Save changes"
            isPage
            shows={['events']}
            onCancel={() => leaveTo(back)}
            onSubmit={async (values, before) => {
              const [was, is] = [readWebhook(before), readWebhook(values)];
              await aboutUrl(saveChanges(`/webhooks/${id}`, was, is, 'Endpoint saved'));
              await leaveTo(back);
            }}
          >
            <WebhookFields webhook={stored} />
          </Form>
        )}
      </Loaded>
    </Page>
  );
}

function WebhookFields({ webhook: stored }: { webhook?: StoredWebhook }) {
  return (
    <>
      <TextField
        name="url"
        label="URL"
        type="url"
        inputMode="url"
        required
        autoFocus
        placeholder="https://hooks.example.com/tenure"
        defaultValue={stored?.url}
      />
      <TextField name="description" label="Description" defaultValue={stored?.description} />
      <EventChoice chosen={stored?.events} />
      <SkippedKeys chosen={stored?.skip_actors} />
    </>
  );
}

const readWebhook = (values: FormValues) => ({
  url: values.text('url'),
  description: values.text('description'),
  events: values.all('events'),
  skip_actors: values.all('skip_actors'),
});

/** The safe-URL check answers with a sentence, which belongs at the URL. */
async function aboutUrl<Data>(writing: Promise<Data>): Promise<Data> {
  try {
    return await writing;
  } catch (error) {
    const isSentence =
      error instanceof ApiError && error.status === 400 && Object.keys(error.fieldErrors).length === 0;
    throw isSentence ? new ApiError(400, '', { url: [error.message] }) : error;
  }
}
