package palyra.api;

/** Argument checks of the API's values, with messages that name the value. */
public final class Require {
    private Require() {}

    /** Returns {@code value}, or throws {@link ErrorCode#INVALID_ARGUMENT} when it is null. */
    public static <T> T present(T value, String name) {
        if (value == null) {
            throw new PalyraException(ErrorCode.INVALID_ARGUMENT, name + " is missing");
        }
        return value;
    }

    /**
     * Returns {@code value}, or throws {@link ErrorCode#INVALID_ARGUMENT} when it is null or blank.
     */
    public static String text(String value, String name) {
        if (value == null || value.isBlank()) {
            throw new PalyraException(ErrorCode.INVALID_ARGUMENT, name + " is missing or blank");
        }
        return value;
    }

    /** Returns {@code value}, or the empty string for null. */
    public static String orEmpty(String value) {
        return value == null ? "" : value;
    }

    /**
     * Throws {@link ErrorCode#INVALID_ARGUMENT} with {@code message} unless {@code condition}
     * holds.
     */
    public static void that(boolean condition, String message) {
        if (!condition) {
            throw new PalyraException(ErrorCode.INVALID_ARGUMENT, message);
        }
    }

    /**
     * Returns {@code value} unless it is too long.
     *
     * @throws PalyraException INVALID_ARGUMENT
     */
    public static String atMost(String value, int characters, String name) {
        that(
                value.length() <= characters,
                name
                        + " has "
                        + value.length()
                        + " characters; at most "
                        + characters
                        + " are taken");
        return value;
    }
}
