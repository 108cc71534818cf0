/** Something that a person has to fix. They see only the message. */
export class Problem extends Error {}
