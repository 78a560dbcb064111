package palyra.console.internal.fakes;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import palyra.shared.http.ConnectionCredential;

/** A request and what was answered, without a server. A method that is not foreseen fails. */
public final class FakeExchange {
    public final Map<String, String> headers = new LinkedHashMap<>();
    public final Map<String, String[]> parameters = new LinkedHashMap<>();
    public final List<Cookie> cookies = new ArrayList<>();
    public final Map<String, String> answered = new LinkedHashMap<>();
    public final List<Cookie> given = new ArrayList<>();
    public int status = 200;
    public String remote = "127.0.0.1";
    public String local = "127.0.0.1";
    public boolean secure;
    public long length = -1;
    public String query; // null without one

    /** What a form carries as a file. */
    public byte[] file = new byte[0];

    /** What the server throws when fields are asked for; null when they can be read. */
    public RuntimeException unreadable;

    /** Whether the body was looked at. */
    public boolean bodyRead;

    public final List<String> credentials = new ArrayList<>(); // that its connection was told
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final Map<String, List<String>> more = new LinkedHashMap<>();
    private final String method;
    private final String path;

    private FakeExchange(String method, String path) {
        this.method = method;
        this.path = path;
        headers.put("host", "localhost:7142");
    }

    public static FakeExchange get(String path) {
        return new FakeExchange("GET", path);
    }

    /** A post by a page of the console. */
    public static FakeExchange post(String path) {
        FakeExchange post = new FakeExchange("POST", path);
        post.headers.put("origin", "http://localhost:7142");
        post.headers.put("sec-fetch-site", "same-origin");
        return post;
    }

    public FakeExchange header(String name, String value) {
        headers.put(name.toLowerCase(Locale.ROOT), value);
        return this;
    }

    /** Adds a line of a header that is there already. */
    public FakeExchange lineMore(String name, String value) {
        more.computeIfAbsent(name.toLowerCase(Locale.ROOT), key -> new ArrayList<>()).add(value);
        return this;
    }

    private Enumeration<String> lines(String name) {
        List<String> lines = new ArrayList<>();
        if (headers.get(name) != null) {
            lines.add(headers.get(name));
        }
        lines.addAll(more.getOrDefault(name, List.of()));
        return Collections.enumeration(lines);
    }

    public FakeExchange without(String name) {
        headers.remove(name.toLowerCase(Locale.ROOT));
        return this;
    }

    public FakeExchange field(String name, String value) {
        parameters.put(name, new String[] {value});
        return this;
    }

    public FakeExchange cookie(String name, String value) {
        cookies.add(new Cookie(name, value));
        return this;
    }

    public String body() {
        return body.toString(StandardCharsets.UTF_8);
    }

    public HttpServletRequest request() {
        return (HttpServletRequest)
                Proxy.newProxyInstance(
                        FakeExchange.class.getClassLoader(),
                        new Class<?>[] {HttpServletRequest.class},
                        (proxy, called, arguments) ->
                                switch (called.getName()) {
                                    case "getMethod" -> method;
                                    case "getRequestURI" -> path;
                                    case "getQueryString" -> query;
                                    case "getHeader" ->
                                            headers.get(
                                                    arguments[0]
                                                            .toString()
                                                            .toLowerCase(Locale.ROOT));
                                    case "getHeaders" ->
                                            lines(arguments[0].toString().toLowerCase(Locale.ROOT));
                                    case "getParameter" -> parameter(arguments[0].toString());
                                    case "getParameterMap" -> {
                                        read();
                                        yield parameters;
                                    }
                                    case "getContentLengthLong" -> length;
                                    case "getPart" -> part();
                                    case "getCookies" -> cookies.toArray(new Cookie[0]);
                                    case "getAttribute" ->
                                            arguments[0].equals(ConnectionCredential.ATTRIBUTE)
                                                    ? (Consumer<String>) credentials::add
                                                    : null;
                                    case "isSecure" -> secure;
                                    case "getRemoteAddr" -> remote;
                                    case "getLocalAddr" -> local;
                                    default -> throw new AssertionError(called.getName());
                                });
    }

    private Part part() {
        bodyRead = true;
        return (Part)
                Proxy.newProxyInstance(
                        FakeExchange.class.getClassLoader(),
                        new Class<?>[] {Part.class},
                        (proxy, called, arguments) ->
                                switch (called.getName()) {
                                    case "getInputStream" -> new ByteArrayInputStream(file);
                                    case "delete" -> null;
                                    default -> throw new AssertionError(called.getName());
                                });
    }

    private void read() {
        bodyRead = true;
        if (unreadable != null) {
            throw unreadable;
        }
    }

    private String parameter(String name) {
        read();
        String[] values = parameters.get(name);
        return values == null ? null : values[0];
    }

    public HttpServletResponse response() {
        return (HttpServletResponse)
                Proxy.newProxyInstance(
                        FakeExchange.class.getClassLoader(),
                        new Class<?>[] {HttpServletResponse.class},
                        (proxy, called, arguments) -> answer(called.getName(), arguments));
    }

    private Object answer(String called, Object[] arguments) {
        switch (called) {
            case "setStatus" -> status = (Integer) arguments[0];
            case "setHeader" -> answered.put(arguments[0].toString(), arguments[1].toString());
            case "setContentType" -> answered.put("Content-Type", arguments[0].toString());
            case "addCookie" -> given.add((Cookie) arguments[0]);
            case "setContentLength" -> answered.put("Content-Length", arguments[0].toString());
            case "isCommitted" -> {
                return false;
            }
            case "getOutputStream" -> {
                return stream();
            }
            default -> throw new AssertionError(called);
        }
        return null;
    }

    private ServletOutputStream stream() {
        return new ServletOutputStream() {
            @Override
            public boolean isReady() {
                return true;
            }

            @Override
            public void setWriteListener(WriteListener listener) {
                throw new AssertionError("nothing is written later");
            }

            @Override
            public void write(int value) {
                body.write(value);
            }
        };
    }
}
