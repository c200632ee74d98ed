/**
 * The world outside, read once when the program starts and passed down. So nothing below asks the process for it, and
 * tests need no mocks: they make another Environment.
 */
export interface Environment {
    readonly cwd: string;
    readonly home: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly now: () => Date;
    /** True when a person can be asked: stdin and stdout are terminals and CI is not set. */
    readonly interactive: boolean;
    /** The program that runs. */
    readonly program?: Program;
}
/** Absolute paths of node and of the file that it runs. */
export interface Program {
    readonly node: string;
    readonly script: string;
}
export declare function currentEnvironment(): Environment;
