/**
 * This file is part of the hook bundle: it imports only node's own modules. It reads what the system tells about
 * processes.
 */
/**
 * The client that a hook runs for. The hook's command line passes its pid on. An older command line does not; it
 * started this program by `exec`, so that the parent is the client.
 */
export declare function clientProcess(env: Readonly<Record<string, string | undefined>>): number;
/** Names a process so that no other is mistaken for it, not even one that gets its number later. */
export interface ProcessName {
    pid: number;
    /** Host and pid namespace. A pid means something only within both. */
    host: string;
    /** When the process started, in clock ticks since boot; '' on a system without /proc. */
    start: string;
}
export declare function nameProcess(pid: number): ProcessName;
export declare function sameProcess(a: ProcessName, b: ProcessName): boolean;
/** Whether the process has certainly ended. False for another host, because nobody here can tell. */
export declare function hasEnded({ pid, host, start }: ProcessName): boolean;
export declare function thisHost(): string;
/** Whether this machine has such a process, and it has not ended. */
export declare function isRunning(pid: number): boolean;
/** When a process started, in clock ticks since boot; undefined without /proc, or when there is no such process. */
export declare function startOf(pid: number): string | undefined;
/** The parent of a process; undefined when it is not known. */
export declare function parentOf(pid: number): number | undefined;
/** Walks up from a process, to its parent, that one's parent and so on, and returns what `look` finds first. */
export declare function findAround<T>(pid: number, look: (pid: number) => T | undefined): T | undefined;
/** The variables that a process was started with; undefined without /proc, or for a process of another user. */
export declare function environmentOf(pid: number): Record<string, string> | undefined;
/** Whether this system tells what processes there are, and where they work. */
export declare function tellsProcesses(): boolean;
/** The folder that a process works in; undefined without /proc, or for a process of another user. */
export declare function folderOf(pid: number): string | undefined;
/**
 * The processes that work in a folder or below it, by the name of their program or of the script that it runs. Empty
 * without /proc; those of other users are not told.
 */
export declare function processesIn(folder: string, names: readonly string[]): {
    pid: number;
    name: string;
}[];
