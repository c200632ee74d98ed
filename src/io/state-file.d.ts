/** What is read of the outside: the person's home, and where they keep programs' state. */
export interface Outside {
    readonly home: string;
    readonly env: Readonly<Record<string, string | undefined>>;
}
/** A file or folder of ours where this person's programs keep their state. */
export declare function stateFile({ home, env }: Outside, name: string): string;
