package palyra.sandbox.tierc.windows.internal.win;

import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;

/** {@code JOBOBJECT_BASIC_ACCOUNTING_INFORMATION} of {@code winnt.h}: 48 bytes. */
@FieldOrder({
    "totalUserTime",
    "totalKernelTime",
    "thisPeriodTotalUserTime",
    "thisPeriodTotalKernelTime",
    "totalPageFaultCount",
    "totalProcesses",
    "activeProcesses",
    "totalTerminatedProcesses"
})
public class JobAccounting extends Structure {
    /** JobObjectBasicAccountingInformation. */
    public static final int INFORMATION_CLASS = 1;

    /** In 100 nanoseconds. */
    public long totalUserTime;

    /** In 100 nanoseconds. */
    public long totalKernelTime;

    /** Not used. */
    public long thisPeriodTotalUserTime;

    /** Not used. */
    public long thisPeriodTotalKernelTime;

    /** Not used. */
    public int totalPageFaultCount;

    /** Processes ever in the job. */
    public int totalProcesses;

    /** Processes in the job now. */
    public int activeProcesses;

    /** Processes ended by a limit. */
    public int totalTerminatedProcesses;

    /** Returns the offset of a field in bytes. */
    public int offset(String field) {
        return fieldOffset(field);
    }
}
