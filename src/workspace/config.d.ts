import * as z from '../zod.ts';
import { type JsonObject } from './merge/json-file.ts';
export declare const Visibility: z.ZodMiniEnum<{
    private: "private";
    shared: "shared";
}>;
export type Visibility = z.infer<typeof Visibility>;
/** `.workspace/config.json`. Every key has a default, the file may be absent, and unknown keys are kept. */
export declare const Config: z.ZodMiniObject<{
    visibility: z.ZodMiniDefault<z.ZodMiniEnum<{
        private: "private";
        shared: "shared";
    }>>;
    client: z.ZodMiniOptional<z.ZodMiniString<string>>;
    commit: z.ZodMiniDefault<z.ZodMiniEnum<{
        ask: "ask";
        auto: "auto";
        never: "never";
    }>>;
    author: z.ZodMiniDefault<z.ZodMiniUnion<readonly [z.ZodMiniBoolean<boolean>, z.ZodMiniString<string>]>>;
    everywhere: z.ZodMiniDefault<z.ZodMiniBoolean<boolean>>;
    redact: z.ZodMiniDefault<z.ZodMiniBoolean<boolean>>;
    autoPause: z.ZodMiniPrefault<z.ZodMiniObject<{
        minutes: z.ZodMiniDefault<z.ZodMiniNumber<number>>;
    }, z.core.$loose>>;
    capture: z.ZodMiniPrefault<z.ZodMiniObject<{
        publish: z.ZodMiniDefault<z.ZodMiniEnum<{
            stop: "stop";
            turn: "turn";
        }>>;
        toolOutput: z.ZodMiniDefault<z.ZodMiniUnion<readonly [z.ZodMiniEnum<{
            full: "full";
            metadata: "metadata";
        }>, z.ZodMiniInt]>>;
        maxInline: z.ZodMiniDefault<z.ZodMiniInt>;
    }, z.core.$loose>>;
    journal: z.ZodMiniPrefault<z.ZodMiniObject<{
        keepDays: z.ZodMiniDefault<z.ZodMiniInt>;
    }, z.core.$loose>>;
    windows: z.ZodMiniDefault<z.ZodMiniRecord<z.ZodMiniString<string>, z.ZodMiniInt>>;
    resume: z.ZodMiniPrefault<z.ZodMiniObject<{
        budget: z.ZodMiniOptional<z.ZodMiniInt>;
    }, z.core.$loose>>;
    list: z.ZodMiniPrefault<z.ZodMiniObject<{
        archiveAfterDays: z.ZodMiniDefault<z.ZodMiniInt>;
        maxOpen: z.ZodMiniDefault<z.ZodMiniInt>;
    }, z.core.$loose>>;
}, z.core.$loose>;
export type Config = z.infer<typeof Config>;
/** The settings of a workspace, relative to its root. */
export declare const CONFIG = ".workspace/config.json";
/** The settings as they are written; empty when there is no file. Throws `corrupt` with the path. */
export declare function rawConfig(root: string): JsonObject;
/** Loads the settings of a workspace, with defaults filled in. Throws `corrupt` with the path and the key. */
export declare function loadConfig(root: string): Config;
/**
 * Sets keys in the file and leaves all others, known or not, as they are. Objects are merged key by key. Throws
 * `corrupt` and writes nothing when the result would not load. Returns the settings as they are now.
 */
export declare function writeConfig(root: string, changes: JsonObject): Config;
