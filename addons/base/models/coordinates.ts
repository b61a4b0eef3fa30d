import { defineMixin, field } from '#kernel'

/** The place of a record on the map, in degrees. */
export const coordinates = defineMixin(
  'base.coordinates',
  {
    latitude: field.float({ digits: [10, 7] }),
    longitude: field.float({ digits: [10, 7] }),
  },
  {
    latitude_range: {
      check: 'latitude between -90 and 90',
      fields: ['latitude'],
      message: 'Latitudes lie between -90 and 90.',
    },
    longitude_range: {
      check: 'longitude between -180 and 180',
      fields: ['longitude'],
      message: 'Longitudes lie between -180 and 180.',
    },
  },
)
