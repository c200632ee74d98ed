/** The absolute path of a program on PATH; undefined when there is none that this user may run. */
export declare function findProgram(name: string, env: Readonly<Record<string, string | undefined>>): string | undefined;
/**
 * Runs a program in this terminal until it ends, and returns its exit code (128 + n after signal n). Ctrl-C and the
 * like are left to the program: this process waits, so that it can save what was said afterwards. It passes on a
 * request to end and the loss of the terminal, because the program does not learn of them when this process leads its
 * session.
 */
export declare function runInTerminal(spec: {
    command: string;
    args: string[];
    env: Record<string, string>;
    cwd: string;
}, env: Readonly<Record<string, string | undefined>>): Promise<number>;
/** Whether there is a file that this user may run. */
export declare function isProgram(path: string): boolean;
