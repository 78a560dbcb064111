/** The one way out of the gateway to the network. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("3.1.0")
package palyra.api.core.egress;
