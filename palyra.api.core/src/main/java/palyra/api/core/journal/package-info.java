/** The durable store: writing, order, reading and verification. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("10.2.0")
package palyra.api.core.journal;
