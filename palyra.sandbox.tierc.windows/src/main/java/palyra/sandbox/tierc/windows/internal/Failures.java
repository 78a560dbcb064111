package palyra.sandbox.tierc.windows.internal;

import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.sandbox.tierc.windows.internal.win.Kernel32;

/** Turns errors of Windows into exceptions. */
final class Failures {
    private Failures() {}

    /** Returns the exception for a function that has just failed on this thread. */
    static PalyraException of(Kernel32 kernel, String function) {
        int error = kernel.lastError();
        return new PalyraException(
                code(error),
                function
                        + " of Windows failed with error "
                        + error
                        + "; look it up by 'net helpmsg "
                        + error
                        + "'.");
    }

    private static ErrorCode code(int error) {
        return switch (error) {
            case Kernel32.ERROR_FILE_NOT_FOUND, Kernel32.ERROR_PATH_NOT_FOUND ->
                    ErrorCode.NOT_FOUND;
            case Kernel32.ERROR_BAD_EXE_FORMAT -> ErrorCode.INVALID_ARGUMENT;
            case Kernel32.ERROR_NOT_ENOUGH_MEMORY,
                    Kernel32.ERROR_NO_SYSTEM_RESOURCES,
                    Kernel32.ERROR_NOT_ENOUGH_QUOTA ->
                    ErrorCode.RESOURCE_EXHAUSTED;
            default -> ErrorCode.TOOL_UNAVAILABLE;
        };
    }
}
