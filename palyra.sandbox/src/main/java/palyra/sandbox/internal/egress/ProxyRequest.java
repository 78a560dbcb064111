package palyra.sandbox.internal.egress;

/**
 * What a client asks of a proxy: a tunnel, or a request with an absolute {@code http} URL (RFC
 * 9112, sections 3.2.2 and 3.2.3).
 *
 * @param tunnel whether it is {@code CONNECT}
 * @param url the URL; for a tunnel {@code https://HOST:PORT/}
 */
record ProxyRequest(Head head, String method, boolean tunnel, WebUrl url, Framing framing) {
    private static final String CONNECT = "CONNECT";

    /** Returns whether the client speaks HTTP/1.0, which knows no chunks. */
    boolean old() {
        return head.start().endsWith("/1.0");
    }

    /**
     * Reads a request.
     *
     * @throws MalformedException when it is not a request, or is ambiguous
     * @throws RefusedException when the host is not usable
     */
    static ProxyRequest of(Head head) throws MalformedException {
        String[] parts = head.start().split(" ", -1);
        boolean proper =
                parts.length == 3
                        && parts[0].matches("[A-Z]{1,16}")
                        && parts[2].matches("HTTP/1\\.[01]");
        if (!proper) {
            throw new MalformedException("the request line is not HTTP/1.1");
        }
        boolean old = parts[2].endsWith("0");
        if (head.only("host").isEmpty() && !old) {
            throw new MalformedException("the field Host is missing");
        }
        Framing framing = Framing.ofRequest(head, old);
        if (parts[0].equals(CONNECT)) {
            return new ProxyRequest(head, CONNECT, true, authority(parts[1]), framing);
        }
        if (!parts[1].regionMatches(true, 0, "http://", 0, 7)) {
            throw new MalformedException(
                    "a proxy takes http:// URLs, and CONNECT for everything else");
        }
        return new ProxyRequest(head, parts[0], false, WebUrl.parse(parts[1]), framing);
    }

    private static WebUrl authority(String text) throws MalformedException {
        if (!text.matches("[^/?#@]+:[0-9]{1,5}")) {
            throw new MalformedException("CONNECT needs HOST:PORT");
        }
        return WebUrl.parse("https://" + text + "/");
    }
}
