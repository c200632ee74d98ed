import type { Handoff, LaunchSpec } from '../contract/launch.ts';
/** Starts Claude Code's own resume. Pure. */
export declare function native({ nativeId, cwd }: {
    nativeId: string;
    cwd: string;
}): LaunchSpec;
/**
 * Lets the client fork a seed transcript into the new session. This way was proved word for word with 1 MB of history
 * (2.1.197, 2.1.330): nothing in it is expanded, and no model is called before the person types. Pure.
 */
export declare function handoff(intent: Handoff): LaunchSpec;
