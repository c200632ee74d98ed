import type { Handoff, LaunchSpec } from '../contract/launch.ts';
/** Starts Codex CLI's own resume, in the folder of the thread: from another one it would ask which to use. Pure. */
export declare function native({ nativeId, cwd }: {
    nativeId: string;
    cwd: string;
}): LaunchSpec;
/**
 * Starts Codex CLI's own resume of a thread that `prepare` puts among its threads. This way was proved with 200 KB of
 * history (0.169.0): nothing in it is expanded, and no model is called before the person types. Pure.
 */
export declare function handoff(intent: Handoff): LaunchSpec;
