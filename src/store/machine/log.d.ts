/** This file is part of the hook bundle: it imports only node's own modules. */
/**
 * Writes one line, with the time, to this machine's log, for a person who asks why something was not recorded. The log
 * is kept to a megabyte or two (`log`, `log.1`). Never throws, because it is called after a failure.
 */
export declare function writeLog(local: string, line: string): void;
/** The latest failures in the log, oldest first, from its last 64 KB. */
export declare function readLog(local: string): {
    at: Date;
    what: string;
}[];
