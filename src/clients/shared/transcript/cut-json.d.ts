/**
 * What is whole of a JSON document that was cut: an object, with the whole elements of one of its lists. Elements of that
 * list that are not whole are left out, and what else stands behind them.
 */
export interface Rescued {
    /** A JSON text. */
    json: string;
    /** Where in the document what was read ends, in UTF-16 units. */
    end: number;
}
/** Rescues the elements of the list `name` of a document. Undefined where not even the list begins. */
export declare function rescueList(text: string, name: string): Rescued | undefined;
