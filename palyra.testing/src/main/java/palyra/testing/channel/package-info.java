/** A chat platform in memory, for tests of the parts between connectors and the journal. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.0.0")
package palyra.testing.channel;
