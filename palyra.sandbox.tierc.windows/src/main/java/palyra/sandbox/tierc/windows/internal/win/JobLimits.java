package palyra.sandbox.tierc.windows.internal.win;

import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;

/**
 * {@code JOBOBJECT_EXTENDED_LIMIT_INFORMATION} of {@code winnt.h} on 64-bit Windows, with its two
 * parts in line: 144 bytes. SIZE_T and ULONG_PTR are 64 bits wide.
 */
@FieldOrder({
    "perProcessUserTimeLimit",
    "perJobUserTimeLimit",
    "limitFlags",
    "minimumWorkingSetSize",
    "maximumWorkingSetSize",
    "activeProcessLimit",
    "affinity",
    "priorityClass",
    "schedulingClass",
    "ioInfo",
    "processMemoryLimit",
    "jobMemoryLimit",
    "peakProcessMemoryUsed",
    "peakJobMemoryUsed"
})
public class JobLimits extends Structure {
    /** JobObjectExtendedLimitInformation. */
    public static final int INFORMATION_CLASS = 9;

    /** JOB_OBJECT_LIMIT_JOB_TIME. */
    public static final int JOB_TIME = 0x4;

    /** JOB_OBJECT_LIMIT_ACTIVE_PROCESS. */
    public static final int ACTIVE_PROCESS = 0x8;

    /** JOB_OBJECT_LIMIT_PROCESS_MEMORY. */
    public static final int PROCESS_MEMORY = 0x100;

    /** JOB_OBJECT_LIMIT_JOB_MEMORY. */
    public static final int JOB_MEMORY = 0x200;

    /** JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION. */
    public static final int DIE_ON_UNHANDLED_EXCEPTION = 0x400;

    /** JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE. */
    public static final int KILL_ON_JOB_CLOSE = 0x2000;

    /** In 100 nanoseconds. */
    public long perProcessUserTimeLimit;

    /** In 100 nanoseconds. */
    public long perJobUserTimeLimit;

    /** Which limits hold. */
    public int limitFlags;

    /** Not used. */
    public long minimumWorkingSetSize;

    /** Not used. */
    public long maximumWorkingSetSize;

    /** Most processes at a time. */
    public int activeProcessLimit;

    /** Not used. */
    public long affinity;

    /** Not used. */
    public int priorityClass;

    /** Not used. */
    public int schedulingClass;

    /** IO_COUNTERS; not used. */
    public long[] ioInfo = new long[6];

    /** In bytes. */
    public long processMemoryLimit;

    /** In bytes. */
    public long jobMemoryLimit;

    /** In bytes. */
    public long peakProcessMemoryUsed;

    /** In bytes. */
    public long peakJobMemoryUsed;

    /** Returns the offset of a field in bytes. */
    public int offset(String field) {
        return fieldOffset(field);
    }
}
