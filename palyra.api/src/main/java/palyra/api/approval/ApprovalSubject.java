package palyra.api.approval;

/** The subject of an approval request. */
public enum ApprovalSubject {
    /** A tool call. */
    TOOL,
    /** Sending a message through a channel. */
    CHANNEL_SEND,
    /** Reading a secret. */
    SECRET_ACCESS,
    /** An action of a browser. */
    BROWSER_ACTION,
    /** An action of another node. */
    NODE_CAPABILITY,
    /** Pairing a device, or answering a sender of direct messages. */
    DEVICE_PAIRING
}
