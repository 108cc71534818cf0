# Verifies a Tenure webhook in Ruby (3.0 or later), with nothing but its standard library.
require 'openssl'

# raw_body: the request body exactly as it came, before any JSON parsing.
# header: the value of X-Service-Signature. secret: the endpoint's, whsec_ included.
def verify_webhook(raw_body, header, secret, now: Time.now.to_i)
  parts = header.to_s.b.split(',').map { |part| part.split('=', 2) }
  timestamp = parts.find { |name, _| name == 't' }&.last.to_s
  return false unless timestamp.match?(/\A\d{1,15}\z/) && (now - timestamp.to_i).abs <= 300

  signed = "#{timestamp}.".b + raw_body.b
  expected = OpenSSL::HMAC.hexdigest('SHA256', secret, signed)
  # While a secret is being rotated there are two signatures: one valid one is enough.
  parts.any? do |name, value|
    name == 'v1' && value.to_s.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(value, expected)
  end
end
