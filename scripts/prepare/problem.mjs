/** Something a person has to mend. The message is all they see. */
export class Problem extends Error {}
