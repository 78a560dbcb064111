/** The Bot API of Telegram on loopback, for tests of connectors and of whole gateways. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.1.0")
package palyra.testing.telegram;
