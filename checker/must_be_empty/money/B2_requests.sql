-- B2: where a price is in force every call and failure comes after its request, and a request stands nowhere else.
WITH
priced AS (SELECT * FROM priced_outcomes WHERE price_line IS NOT NULL),
unpriced_requests AS (
    SELECT requests.log, requests.line, requests.model
    FROM requests ASOF LEFT JOIN prices
        ON prices.log = requests.log AND prices.model = requests.model AND prices.line < requests.line
    WHERE prices.line IS NULL
)

SELECT log, line, 'B2' AS rule, 'event' AS field,
    'a request of attempt ' || attempt || ' before it: the price of line ' || price_line || ' is in force' AS expected,
    'no such request' AS found
FROM priced WHERE NOT requested
UNION ALL
SELECT log, line, 'B2', 'event', 'a price of ' || to_json(model) || ' before it', 'no price is in force'
FROM unpriced_requests
