import { type PersonsWords } from '../../shared/transcript/persons-words.ts';
/**
 * What the person said in the answer to a call: to `ask_user`, whose answers go by the places of the questions, or to a
 * plan that they refused. Seen in 0.61.0.
 */
export declare function personsWords(name: string, given: () => unknown, answer: string): PersonsWords;
