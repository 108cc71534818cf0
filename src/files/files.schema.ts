import { z } from 'zod';
import { choice, publicId, requiredText, timestamp } from '../fields.ts';
import { changeQuery } from '../paging.ts';
import { patchOf } from '../shapes.ts';
import { recordId, recordTypes, shownRecordId } from './records.ts';

export const maxFileBytes = 25 * 1024 * 1024;
export const maxFilesOfRecord = 100;

export const File = z
  .object({
    id: publicId('file'),
    record: shownRecordId.meta({ description: 'The record that it is on.' }),
    record_type: z.enum(recordTypes),
    name: z.string().meta({ examples: ['kitchen.jpg'] }),
    content_type: z.string().meta({
      description: 'Detected from the content, whatever the name says.',
      examples: ['image/jpeg'],
    }),
    size: z.int().meta({ description: 'In bytes, as stored.', examples: [482_133] }),
    width: z
      .int()
      .nullable()
      .meta({ description: 'For an image, in pixels.', examples: [4032] }),
    height: z
      .int()
      .nullable()
      .meta({ description: 'For an image, in pixels.', examples: [3024] }),
    position: z
      .int()
      .meta({ description: 'Its position among the files of its record, from 1.', examples: [1] }),
    source: z.enum(['api', 'dashboard']),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'File', description: 'A photo or a document on a record.' });

const name = requiredText(200).meta({ examples: ['kitchen.jpg'] });

/** What is sent with the content: in the query, or as fields of the form. */
export const FileUpload = z.object({
  record: recordId
    .optional()
    .meta({ description: 'The record that the file is on. In a form, it may be a field instead.' }),
  name: name.optional().meta({ description: 'Without it, the name that the form has for the file.' }),
});

export const FilePatch = patchOf({
  name,
  position: z
    .int('Must be a whole number.')
    .min(1, 'Must be at least 1.')
    .max(maxFilesOfRecord, `Must be at most ${maxFilesOfRecord}.`)
    .meta({ description: 'Its new position; the files after it move on.', examples: [1] }),
}).meta({ id: 'FilePatch' });

export const FileList = z.object({
  record: recordId.optional().meta({ description: 'Only files of this record.' }),
  ...changeQuery,
});

const dispositions = ['attachment', 'inline'] as const;

export const ContentQuery = z.object({
  disposition: choice(dispositions).default('attachment').meta({
    description: '`inline` shows an image in place. Anything else is always an attachment.',
  }),
  variant: choice(['original', 'thumbnail']).default('original').meta({
    description: 'For an image, `thumbnail` is a WebP of at most 480 by 480 pixels.',
  }),
  link: z
    .string('Must be given once.')
    .optional()
    .meta({
      description: 'From `GET /files/:id/link`, instead of a key.',
      examples: ['sJ3kQm'],
    }),
});

const longestLinkSeconds = 3600;

const seconds = `Must be a whole number of seconds from 10 to ${longestLinkSeconds}.`;

export const LinkQuery = z.object({
  expires_in: z
    .string(seconds)
    .regex(/^\d{1,4}$/, seconds)
    .transform(Number)
    .refine((value) => value >= 10 && value <= longestLinkSeconds, seconds)
    .default(300)
    .meta({
      description: 'For how many seconds the link is valid.',
      type: 'integer',
      minimum: 10,
      maximum: longestLinkSeconds,
      default: 300,
      examples: [300],
    }),
  disposition: choice(dispositions).default('attachment'),
});

export const Link = z
  .object({
    url: z.string().meta({
      description: 'Opens the content without a key, for whoever has it.',
      examples: [
        'https://rent.example.com/api/v1/files/file_019a8b2c4d5e7f608192a3b4c5d6e7f8/content?link=sJ3kQm',
      ],
    }),
    expires_at: timestamp,
  })
  .meta({ id: 'FileLink', description: 'A short-lived address of a file.' });

export const DeletedFile = z
  .object({ id: publicId('file'), deleted: z.literal(true) })
  .meta({ id: 'DeletedFile' });

export type File = z.output<typeof File>;
export type FileUpload = z.output<typeof FileUpload>;
export type FileChange = z.output<typeof FilePatch>;
