import type { Handoff, LaunchSpec } from '../contract/launch.ts';
/** Starts Gemini CLI's own resume. The project's settings keep it from deleting the session. Pure. */
export declare function native({ nativeId, cwd }: {
    nativeId: string;
    cwd: string;
}): LaunchSpec;
/**
 * Lets the client copy a seed session into a new one. This way was proved (0.61.0): nothing in it is expanded, and no
 * model is called before the person types. The client chooses the copy's id. Our hooks learn that id, and
 * `CORTEXT_LAUNCH` tells them which launch it belongs to. `-i` is never used, since it loses the history. Pure.
 */
export declare function handoff(intent: Handoff): LaunchSpec;
