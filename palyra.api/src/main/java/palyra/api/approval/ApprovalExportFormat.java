package palyra.api.approval;

/** Forms of an export. */
public enum ApprovalExportFormat {
    /**
     * One JSON object a line, each with its digest and the digest chained over all before, and a
     * signed trailer; docs/formats.md.
     */
    NDJSON,
    /** One JSON document with the records in an array. */
    JSON
}
