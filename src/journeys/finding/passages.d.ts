import { type Passage } from '../../search/passage.ts';
import type { Query } from '../../search/query.ts';
import type { Ranked } from '../../search/rank.ts';
import type { Message } from '../../session/schema.ts';
import type { Found } from './search.ts';
/** A message that was found, as it is shown. */
export interface FoundMessage extends Passage {
    message: Message;
    score: number;
    /** `cortext show <id> --at <at>` shows this message; undefined for one that show does not have. */
    at?: string;
    /** The file below the conversation that holds it, for one that show does not have. */
    file?: string;
}
export interface Passages {
    messages: FoundMessage[];
    /** How many messages answer not much worse than the best of these. */
    total: number;
}
/** The two or three messages of a conversation that answer a query best, best first, each with its best passage. */
export declare function passagesIn({ candidate, scores }: Ranked<Found>, query: Query): Passages;
/** Enough of an id of ours to name one message; ids of other programs may differ only at their end. */
export declare function idToShow({ id }: Message): string;
