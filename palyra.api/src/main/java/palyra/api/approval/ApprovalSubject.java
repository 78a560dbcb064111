package palyra.api.approval;

/** What a question is about. */
public enum ApprovalSubject {
    /** A tool call. */
    TOOL,
    /** A message that leaves by a channel. */
    CHANNEL_SEND,
    /** Reading a secret. */
    SECRET_ACCESS,
    /** Something a browser does. */
    BROWSER_ACTION,
    /** Something another node does. */
    NODE_CAPABILITY,
    /** Pairing a device. */
    DEVICE_PAIRING
}
