package palyra.models.internal;

/** Request ids of the engine have the form {@code run/turn/attempt}. */
final class RequestIds {
    private RequestIds() {}

    /** Returns the attempt, counted from 1; an id of another form is a first attempt. */
    static int attempt(String requestId) {
        int slash = requestId.lastIndexOf('/');
        String last = requestId.substring(slash + 1);
        return slash >= 0 && last.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(last) : 1;
    }
}
