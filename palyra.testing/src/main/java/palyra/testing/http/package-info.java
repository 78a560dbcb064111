/** A server on loopback that misbehaves as told, and a way out that reaches it. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.0.0")
package palyra.testing.http;
