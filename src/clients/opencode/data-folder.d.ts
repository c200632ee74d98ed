interface Outside {
    readonly home: string;
    readonly env: Readonly<Record<string, string | undefined>>;
}
/** The folder in which OpenCode keeps its own data, in `opencode/`. */
export declare function dataFolder({ env, home }: Outside): string;
/**
 * The path of our transcript of a session. OpenCode keeps no transcripts, so our plugin writes one for each session,
 * beside OpenCode's own data.
 */
export declare function ownTranscript(outside: Outside, session: string): string;
export {};
