import { z } from 'zod';
import { exampleId } from '../fields.ts';
import { errorFields, singleOf } from '../shapes.ts';

export const mostItems = 1_000;

const atomic = z
  .boolean('Must be true or false.')
  .default(false)
  .meta({ description: 'All or nothing: if one item fails, none is created and the answer is 422.' });

const listOfItems = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item, 'Must be a list of items.')
    .min(1, 'Must have at least one item.')
    .max(mostItems, `Must have at most ${mostItems} items.`);

/** The body before its items are checked. Each is checked by itself, so that a mistake affects that item only. */
export const UncheckedBatch = z.object({ items: listOfItems(z.unknown()), atomic });

export type UncheckedBatch = z.output<typeof UncheckedBatch>;

/** The body as it is documented. */
export const batchOf = (create: z.ZodObject) =>
  z
    .object({
      items: listOfItems(create).meta({ description: 'Each is the body of a POST that creates one.' }),
      atomic,
    })
    .meta({ id: `${create.meta()?.id}`.replace(/Create$/, 'Batch') });

const index = z.int().meta({ description: 'Its position in `items`, counted from 0.', examples: [0] });

export const FailedItem = z
  .object({
    index,
    status: z.int().meta({ description: 'That of the error.', examples: [409] }),
    error: z.object({
      ...errorFields,
      details: z
        .object({
          id: z
            .string()
            .optional()
            .meta({ description: 'The record that has the `external_id`.', examples: [exampleId('ten')] }),
        })
        .optional(),
    }),
  })
  .meta({ id: 'FailedItem', description: 'An item of a batch that was not created, and why.' });

/** The answer: what became of each item. */
export const batchResultOf = (record: z.ZodType) => {
  const name = record.meta()?.id;
  const made = z
    .object({ index, status: z.literal(201), data: record })
    .meta({ id: `Created${name}`, description: 'An item of a batch that was created.' });
  return singleOf(
    z
      .object({
        created: z.int().meta({ description: 'How many items were created.', examples: [1] }),
        failed: z.int().meta({ description: 'How many were not.', examples: [0] }),
        results: z.array(z.union([made, FailedItem])).meta({ description: 'One for each item, in order.' }),
      })
      .meta({ id: `${name}BatchResult` }),
  );
};
