/**
 * The contract of every connector, and fakes for both of its sides: {@link
 * palyra.testing.channel.FakeConnectorContext} is the gateway's, and {@link
 * palyra.testing.channel.FakePlatform} stands for connectors where other parts are tested.
 */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.2.0")
package palyra.testing.channel;
