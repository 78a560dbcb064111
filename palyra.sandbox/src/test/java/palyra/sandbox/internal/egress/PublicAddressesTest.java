package palyra.sandbox.internal.egress;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PublicAddressesTest {
    private final AddressRule rule = new PublicAddresses();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "9.255.255.255",
                "11.0.0.0",
                "100.63.255.255",
                "100.128.0.0",
                "126.255.255.255",
                "128.0.0.0",
                "169.253.255.255",
                "172.15.255.255",
                "172.32.0.0",
                "191.255.255.255",
                "192.167.255.255",
                "192.169.0.0",
                "198.17.255.255",
                "198.20.0.0",
                "223.255.255.255",
                "2606:4700::1111",
                "2001:4860:4860::8888",
                "2a00:1450:4001::1",
            })
    void addressesOfTheInternetAreAllowed(String address) throws UnknownHostException {
        assertTrue(rule.refusal(InetAddress.getByName(address)).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.7",
                "10.255.255.255",
                "100.64.0.1",
                "100.100.100.200",
                "127.0.0.1",
                "127.255.255.254",
                "168.63.129.16",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.192",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.1.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.1",
                "203.0.113.1",
                "224.0.0.1",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::ffff:127.0.0.1",
                "::127.0.0.1",
                "64:ff9b::7f00:1",
                "64:ff9b:1::1",
                "100::1",
                "2001::1",
                "2001:0:4136:e378:8000:63bf:3fff:fdd2",
                "2001:db8::1",
                "2001:20::1",
                "2002:7f00:1::",
                "3fff::1",
                "4000::1",
                "5f00::1",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "fec0::1",
                "ff02::1",
            })
    void everythingElseIsRefused(String address) throws UnknownHostException {
        assertTrue(rule.refusal(InetAddress.getByName(address)).isPresent(), address);
    }

    @Test
    void aMappedAddressIsWhatItMapsTo() throws UnknownHostException {
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xff;
        mapped[11] = (byte) 0xff;
        mapped[12] = 127;
        mapped[15] = 1;
        assertTrue(rule.refusal(Inet6Address.getByAddress("", mapped, -1)).isPresent());
        mapped[12] = 8;
        mapped[13] = 8;
        mapped[14] = 8;
        mapped[15] = 8;
        assertFalse(rule.refusal(Inet6Address.getByAddress("", mapped, -1)).isPresent());
    }

    @Test
    void addressesOfThisMachineAreKnown() throws Exception {
        assertTrue(PublicAddresses.ofThisMachine(InetAddress.getByName("127.0.0.53")));
        assertTrue(PublicAddresses.ofThisMachine(InetAddress.getByName("0.0.0.0")));
        assertFalse(PublicAddresses.ofThisMachine(InetAddress.getByName("8.8.8.8")));
        java.net.NetworkInterface.networkInterfaces()
                .flatMap(java.net.NetworkInterface::inetAddresses)
                .forEach(own -> assertTrue(PublicAddresses.ofThisMachine(own), own.toString()));
    }
}
