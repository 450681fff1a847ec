# frozen_string_literal: true

# Reads lookups, then creates and updates a tag through REST v1. Needs Ruby 3.0 or newer, and no gem.
require 'json'
require 'net/http'
require 'securerandom'

# An error of the gateway. `body` is its problem (RFC 9457), or empty if it is not JSON.
class Problem < StandardError
  attr_reader :status, :body

  def initialize(status, body)
    @status = status
    @body = body
    super(body['detail'] || (status.zero? ? 'the gateway cannot be reached' : "HTTP #{status} without JSON"))
  end

  # How to handle the error.
  def advice
    case status
    when 401 then 'get another token'
    when 412 then 'someone else updated it first'
    when 422
      errors = body.fetch('errors', {})
      errors.empty? ? message : errors.map { |field, messages| "fix #{field}: #{messages.join(' ')}" }.join('; ')
    # Errors of a proxy have no request id.
    else body.key?('request_id') ? "#{message} (request #{body['request_id']})" : message
    end
  end
end

# A client of REST v1.
class Gateway
  ATTEMPTS = 5
  LOST = [SystemCallError, SocketError, EOFError, Net::OpenTimeout, Net::ReadTimeout].freeze
  TEMPORARY_CODES = %w[conflict idempotency_key_in_use].freeze

  def initialize(url, token, language: 'en')
    @base = "#{url}/partner_portal/v1"
    @headers = { 'Authorization' => "Bearer #{token}", 'Accept-Language' => language }
  end

  # Returns the body and the ETag. Retries 409, 429, 503 and lost connections if that is safe: reads, updates, and creates
  # with an idempotency key.
  def send_request(method, path, body = nil, headers = {})
    safe = method != :Post || headers.key?('Idempotency-Key')
    (1..).each do |attempt|
      response = exchange(method, path, body, headers)
      status = response.nil? ? 0 : response.code.to_i
      answer = parse_json(response)
      return [answer, response['ETag']] if response.is_a?(Net::HTTPSuccess) && !answer.empty?

      temporary = [0, 429, 503].include?(status) || TEMPORARY_CODES.include?(answer['code'])
      raise Problem.new(status, answer) if !temporary || !safe || attempt == ATTEMPTS

      seconds = (response&.[]('Retry-After') || 2**(attempt - 1)).to_i
      puts "#{method.to_s.upcase}: #{status.zero? ? 'not sent' : status}, again in #{seconds} s"
      sleep seconds
    end
  end

  private

  # Returns an empty hash if the body is not JSON.
  def parse_json(response)
    answer = JSON.parse(response&.body || '')
    answer.is_a?(Hash) ? answer : {}
  rescue JSON::ParserError
    {}
  end

  # Returns nil without a response.
  def exchange(method, path, body, headers)
    uri = URI(@base + path)
    request = Net::HTTP.const_get(method).new(uri, @headers.merge(headers))
    unless body.nil?
      request['Content-Type'] = 'application/json'
      request.body = JSON.generate(body)
    end
    options = { use_ssl: uri.scheme == 'https', open_timeout: 30, read_timeout: 30, max_retries: 0 }
    Net::HTTP.start(uri.host, uri.port, **options) { |http| http.request(request) }
  rescue *LOST
    nil
  end
end

# Runs a step; on an error, prints how to handle it.
def attempt
  yield
rescue Problem => e
  puts e.advice
end

def main
  url = ENV.fetch('GATEWAY_URL', 'http://127.0.0.1:4000')
  item = ENV.fetch('ITEM_ID', '1').to_i
  gateway = Gateway.new(url, ENV.fetch('GATEWAY_TOKEN', ''), language: 'ar')

  lookups, = gateway.send_request(:Get, '/lookups?services=-1&week_days=1')
  lookups['lookups'].each do |lookup|
    lookup.each { |name, entries| puts "#{name}: #{entries.map { |entry| entry['name'] }.join('، ')}" }
  end

  fields = { name_en: 'Spicy', name_ar: 'حار', item_ids: [item] }
  # One key per tag, so that a retry does not create a second one.
  key = { 'Idempotency-Key' => SecureRandom.uuid }
  tag, etag = gateway.send_request(:Post, '/product_tags', fields, key)
  puts "created #{tag['name']} on #{tag['item_ids'].size} product"
  again, = gateway.send_request(:Post, '/product_tags', fields, key)
  puts again['id'] == tag['id'] ? 'created once' : 'created twice'

  path = "/product_tags/#{tag['id']}"
  updated, = gateway.send_request(:Put, path, { name_en: 'Very spicy' }, { 'If-Match' => etag })
  puts "updated to #{updated['name_en']}"
  # This version is now out of date.
  attempt { gateway.send_request(:Put, path, { name_en: 'Too late' }, { 'If-Match' => etag }) }
  attempt { gateway.send_request(:Put, path, { name_en: 'No', item_ids: [2_000_000_000] }) }
  attempt { Gateway.new(url, 'pp_unknown').send_request(:Put, path, { name_en: 'Stolen' }) }
end

begin
  main
rescue Problem => e
  abort e.advice
end
