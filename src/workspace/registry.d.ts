/**
 * A kind of conversation, as `.workspace/registry.json` holds it. Keys that an entry leaves out follow from its name.
 */
export interface ConversationType {
    name: string;
    /** The slash command that starts a conversation of this type: `/workspace.brainstorm`. */
    command: string;
    /** The folder of its conversations, relative to the root. */
    folder: string;
    /** The name of the template in `.workspace/templates/`, without `.md`. */
    template: string;
    /** Whether what is said is kept beside the document. */
    session_support: boolean;
    description: string;
}
/**
 * The types of a workspace by name: those in its registry, and the shipped ones that the registry does not mention.
 * Throws `corrupt` with the path and the key.
 */
export declare function loadRegistry(root: string, pack?: string): Map<string, ConversationType>;
/** A type by its name. Throws `not-found`, with the names there are. */
export declare function findType(root: string, name: string, pack?: string): ConversationType;
/**
 * Puts a new type into the workspace's registry. Throws `usage` for an impossible name and `refused` for a taken one.
 */
export declare function registerType(root: string, name: string, about: {
    description: string;
}, pack?: string): ConversationType;
/** Throws the same errors as `registerType` when a new type cannot have this name. */
export declare function checkNewType(root: string, name: string, pack?: string): void;
export declare function isTypeName(name: string): boolean;
export declare function checkTypeName(name: string): void;
