/**
 * Tells where the run of letters around a place ends, and reads every letter of a text once however often it is asked:
 * all places of one run have one end. Hostile texts put thousands of starts into one long run.
 */
export declare class Runs {
    #private;
    private readonly text;
    private readonly belongs;
    /** How many letters were read. The tests hold it against the length of the text. */
    steps: number;
    constructor(text: string, belongs: (code: number) => boolean);
    /** The offset behind the last letter of the run that `at` stands in; `at` itself when no letter of a run is there. */
    endAt(at: number): number;
}
/** Letters, digits, `-` and `_`: the alphabet of base64url. */
export declare function isUrlLetter(code: number): boolean;
