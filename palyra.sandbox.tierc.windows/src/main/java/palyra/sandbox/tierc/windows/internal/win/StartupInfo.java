package palyra.sandbox.tierc.windows.internal.win;

import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;

/** {@code STARTUPINFOEXW} of {@code winbase.h} on 64-bit Windows, in line: 112 bytes. */
@FieldOrder({
    "cb",
    "lpReserved",
    "lpDesktop",
    "lpTitle",
    "dwX",
    "dwY",
    "dwXSize",
    "dwYSize",
    "dwXCountChars",
    "dwYCountChars",
    "dwFillAttribute",
    "dwFlags",
    "wShowWindow",
    "cbReserved2",
    "lpReserved2",
    "hStdInput",
    "hStdOutput",
    "hStdError",
    "lpAttributeList"
})
public class StartupInfo extends Structure {
    /** Size of the whole. */
    public int cb;

    /** Not used. */
    public Pointer lpReserved;

    /** Not used. */
    public Pointer lpDesktop;

    /** Not used. */
    public Pointer lpTitle;

    /** Not used. */
    public int dwX;

    /** Not used. */
    public int dwY;

    /** Not used. */
    public int dwXSize;

    /** Not used. */
    public int dwYSize;

    /** Not used. */
    public int dwXCountChars;

    /** Not used. */
    public int dwYCountChars;

    /** Not used. */
    public int dwFillAttribute;

    /** STARTF_USESTDHANDLES. */
    public int dwFlags;

    /** Not used. */
    public short wShowWindow;

    /** Not used. */
    public short cbReserved2;

    /** Not used. */
    public Pointer lpReserved2;

    /** Standard input. */
    public Pointer hStdInput;

    /** Standard output. */
    public Pointer hStdOutput;

    /** Standard error. */
    public Pointer hStdError;

    /** Handles that are inherited. */
    public Pointer lpAttributeList;

    /** Returns the offset of a field in bytes. */
    public int offset(String field) {
        return fieldOffset(field);
    }
}
