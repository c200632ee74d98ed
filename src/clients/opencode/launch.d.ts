import type { Handoff, LaunchSpec } from '../contract/launch.ts';
/** Starts OpenCode's own resume. Pure. */
export declare function native({ nativeId, cwd }: {
    nativeId: string;
    cwd: string;
}): LaunchSpec;
/**
 * Starts OpenCode's own resume of a session that `prepare` has imported from the seed file. This way was proved
 * (1.18.33): nothing in it is expanded, and no model is called before the person types. Pure.
 */
export declare function handoff(intent: Handoff): LaunchSpec;
