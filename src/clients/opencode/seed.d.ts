import type { Handoff } from '../contract/launch.ts';
/**
 * The time at which a seed says that it was made. The terminal UI sorts by the digits of the time in milliseconds, so
 * it needs as many digits as today's time. A session that was not touched since is one in which nothing was said.
 */
export declare const SEED_TIME = 1000000000000;
/**
 * Makes a session as `opencode import` takes it. The command as it was typed is shown. Its body, the resume block and
 * the history are sent to the model. Then comes the recap. The session has a title, so OpenCode asks no model for one.
 */
export declare function seedOf({ nativeId, cwd, command, args, context, recap }: Handoff): {
    info: {
        id: string;
        slug: string;
        title: string;
        version: string;
        metadata: {
            cortext: {
                seed: boolean;
            };
        };
        time: {
            created: number;
            updated: number;
        };
    };
    messages: ({
        info: {
            sessionID: string;
            agent: string;
            time: {
                created: number;
            };
            id: string;
            role: string;
            model: {
                providerID: string;
                modelID: string;
            };
        };
        parts: {
            id: string;
            sessionID: string;
            messageID: string;
            type: string;
        }[];
    } | {
        info: {
            sessionID: string;
            agent: string;
            time: {
                created: number;
            };
            id: string;
            role: string;
            parentID: string;
            mode: string;
            providerID: string;
            modelID: string;
            path: {
                cwd: string;
                root: string;
            };
            cost: number;
            tokens: {
                input: number;
                output: number;
                reasoning: number;
                cache: {
                    read: number;
                    write: number;
                };
            };
            finish: string;
        };
        parts: {
            id: string;
            sessionID: string;
            messageID: string;
            type: string;
        }[];
    })[];
};
/** Makes an id in OpenCode's form, random except for the time. OpenCode's session ids descend. */
export declare function newSessionId(now: Date): string;
