export interface Questions {
    /**
     * Says how to ask the client's model one question without a terminal, in an empty folder and, as far as the client
     * allows, without tools, hooks, plugins or commands. Command lines hold only constants. Pure.
     */
    ask(question: Question): AskSpec;
}
export interface Question {
    /** Constant words of ours. */
    system: string;
    /** The question: it begins with words of ours, and the rest is text from a record. */
    user: string;
    /** The MCP servers that the client is set to use, by name. Clients that cannot leave all out leave these out. */
    mcpServers?: readonly string[];
}
export interface AskSpec {
    command: string;
    args: string[];
    env: Record<string, string>;
    /** Files that are written into the folder before the start; their paths are relative to it. */
    files: {
        path: string;
        content: string;
    }[];
    /** The text for the program's stdin. */
    input: string;
    /** Finds the answer in the program's stdout. Undefined when there is no answer in it. */
    answer(stdout: string): AskAnswer | undefined;
}
export interface AskAnswer {
    text: string;
    /** The model that wrote it, where the client tells. */
    model?: string;
    /** Tokens as the client counts them, where it does. */
    tokens?: {
        read: number;
        wrote: number;
    };
}
