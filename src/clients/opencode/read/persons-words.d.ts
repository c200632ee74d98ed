import { type Fields } from '../../shared/transcript/fields.ts';
import { type PersonsWords } from '../../shared/transcript/persons-words.ts';
/**
 * What the person said in the answer to a call: to questions (`metadata.answers`, a list for each question), or with a
 * refusal. Seen in 1.18.33.
 */
export declare function personsWords(part: Fields): PersonsWords;
