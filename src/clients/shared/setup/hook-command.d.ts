/** What a hook's shell command does beside running `cortext hook <client>`. */
export interface HookShell {
    /**
     * What the person is told in one line: that cortext is missing, or that it does not work. A hook with `unless` runs for
     * everybody who shares the settings, so there a missing one is told only where this machine has recorded something.
     */
    tells?: readonly ('missing' | 'failing')[];
    /** For a hook that runs often: the project's folder, where a note says that the client's process was told already. */
    tellsOnce?: {
        folder: string;
    };
    /**
     * Lets the shell itself end the hook for a session that nothing is known of. No process is started, which would hold
     * up the client's start and the turns of sessions that nobody records. For hooks that have nothing to do in such
     * sessions.
     */
    unless?: UnknownSession;
}
/** How a shell can tell, without a process, that a session belongs to no conversation. */
export interface UnknownSession {
    /** The variables that hold the project folder and the session's id. In any doubt about them cortext runs. */
    folder: string;
    id: string;
    /** True: the shell notes which session the client's process has open, as src/store/machine/open-session.ts does. */
    notesHost?: boolean;
    /**
     * For a client that tells its hooks the session on stdin alone: the key of the id there. A payload that holds `but`,
     * with which our commands begin, is left to cortext.
     */
    payload?: {
        id: string;
        but: string;
    };
}
/**
 * Makes a hook command that is harmless whatever `cortext` is on this machine: missing, of another version, broken. It
 * always exits 0 (2 would block a prompt in Claude Code and Gemini CLI). It prints only an answer of ours, since a
 * client takes any other text for context or shows it, and what `tells` asks for. It does not use `exec`, so that
 * `cortext` is given the number of the client's own process. For sh, dash and bash.
 */
export declare function hookCommand(client: string, { tells, tellsOnce, unless }?: HookShell): string;
