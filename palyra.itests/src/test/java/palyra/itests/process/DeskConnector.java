package palyra.itests.process;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import palyra.api.PalyraException;
import palyra.api.channel.Connector;
import palyra.api.channel.ConnectorCapabilities;
import palyra.api.channel.ConnectorCapabilities.Feature;
import palyra.api.channel.ConnectorContext;
import palyra.api.channel.ConnectorId;
import palyra.api.channel.ConnectorStatus;
import palyra.api.channel.ConnectorStatus.State;
import palyra.api.channel.Conversation;
import palyra.api.channel.Delivery;
import palyra.api.channel.InboundMessage;
import palyra.api.channel.OutboundMessage;
import palyra.api.channel.Sender;

/**
 * A connector to {@link DeskPlatform} as others write them: a bundle of its own with nothing but
 * the API and the JDK. The bundle has this one class.
 */
public final class DeskConnector implements Connector {
    private static final long PAUSE_MILLIS = 50;
    private static final long JOIN_MILLIS = 4_000;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private volatile String url;
    private volatile HttpClient http; // null while it is stopped
    private volatile ConnectorStatus status = ConnectorStatus.of(State.STOPPED, "");
    private Thread thread; // between start and stop, which are not called at one time

    /** Called by the component runtime. */
    public void activate(Map<String, Object> configuration) {
        url = configuration.get("url").toString();
    }

    @Override
    public ConnectorId id() {
        return new ConnectorId("desk", "main");
    }

    @Override
    public ConnectorCapabilities capabilities() {
        return ConnectorCapabilities.of(4_096, Feature.LOOKUP);
    }

    @Override
    public ConnectorStatus status() {
        return status;
    }

    @Override
    public void start(ConnectorContext context) {
        status = ConnectorStatus.of(State.CONNECTING, "");
        http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        thread = Thread.ofVirtual().name("desk-main").start(() -> follow(context));
    }

    @Override
    public void stop() {
        thread.interrupt();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        http.shutdownNow();
        http = null;
        status = ConnectorStatus.of(State.STOPPED, "");
    }

    private void follow(ConnectorContext context) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    look(context);
                } catch (IOException e) {
                    status = ConnectorStatus.of(State.RECONNECTING, "the desk does not answer");
                    Thread.sleep(PAUSE_MILLIS);
                } catch (PalyraException e) {
                    status = ConnectorStatus.of(State.DEGRADED, "not taken: " + e.getMessage());
                    Thread.sleep(PAUSE_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            // stop() said so
        }
    }

    /** Takes in what came after the position, which each message moves on. */
    private void look(ConnectorContext context) throws IOException, InterruptedException {
        byte[] position = context.position().orElse("0".getBytes(StandardCharsets.US_ASCII));
        String after = new String(position, StandardCharsets.US_ASCII);
        String updates = call(http, "GET", "/updates/" + after, "").body();
        status = ConnectorStatus.of(State.READY, "");
        for (String line : updates.lines().toList()) {
            String[] fields = line.split("\t");
            context.accept(
                    InboundMessage.written(
                            fields[1],
                            new Sender(fields[2], fields[2], false, true),
                            Conversation.direct(fields[2]),
                            fields[3],
                            true,
                            0),
                    fields[0].getBytes(StandardCharsets.US_ASCII));
        }
    }

    /** An answer that is not whole throws, as one that never comes does. */
    private HttpResponse<String> call(HttpClient client, String method, String path, String body)
            throws IOException, InterruptedException {
        HttpResponse<String> response =
                client.send(
                        HttpRequest.newBuilder(URI.create(url + path))
                                .timeout(PATIENCE)
                                .method(method, BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString());
        if (method.equals("GET") && response.statusCode() >= 500) {
            throw new IOException("the desk answered " + response.statusCode());
        }
        return response;
    }

    @Override
    public Delivery send(OutboundMessage message) {
        HttpClient client = http;
        if (client == null) {
            return new Delivery.RetryAfter(0, false, "the desk is not connected");
        }
        String path = "/send/" + message.key() + "/" + message.conversation().id();
        try {
            HttpResponse<String> response = call(client, "POST", path, message.text());
            return switch (response.statusCode()) {
                case 200 -> new Delivery.Delivered(response.body());
                case 429 -> new Delivery.RetryAfter(PAUSE_MILLIS, true, "the desk is busy");
                case 420 -> new Delivery.RetryAfter(PAUSE_MILLIS, false, "the account is busy");
                case 503 -> Delivery.RetryAfter.of(0, "the desk has an outage");
                default -> new Delivery.Refused("the desk answered " + response.statusCode());
            };
        } catch (ConnectException e) {
            return new Delivery.RetryAfter(0, false, "the desk is not there");
        } catch (IOException e) {
            return new Delivery.Unknown("the connection broke off");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Delivery.Unknown("it was not waited for");
        }
    }

    @Override
    public Delivery lookup(OutboundMessage message) {
        HttpClient client = http;
        try {
            if (client == null) {
                return new Delivery.Unknown("the desk is not connected");
            }
            HttpResponse<String> response = call(client, "GET", "/find/" + message.key(), "");
            return response.statusCode() == 200
                    ? new Delivery.Delivered(response.body())
                    : Delivery.RetryAfter.of(0, "the desk does not have it");
        } catch (IOException e) {
            return new Delivery.Unknown("the connection broke off");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Delivery.Unknown("it was not waited for");
        }
    }
}
