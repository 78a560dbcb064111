/**
 * What a connector implements, and what the gateway offers it: messages of a chat platform come in
 * by {@link palyra.api.channel.ConnectorContext} and go out by {@link
 * palyra.api.channel.Connector}.
 */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("3.0.0")
package palyra.api.channel;
